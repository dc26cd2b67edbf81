"""Phrases that mail programs write around the player's own words, in many languages."""

from __future__ import annotations

import re
from itertools import pairwise

_NUMERIC_DATE = re.compile(r"\d{1,4}([-./]) ?\d{1,2}\1 ?\d{2,4}|\d{1,2} ?[月월] ?\d{1,2} ?[日일]")
_CLOCK = re.compile(
    r"\d{1,2}(?:[:.]\d\d(?:[:.]\d\d)?(?![\w,:-])|:\d\d[a-z]| ?[ap]\.?m\b|h\d\d\b)", re.IGNORECASE
)
_ADDRESS = re.compile(r"[\w.+~}-]@[\w-]{1,63}\.\w")
_WORD = re.compile(r"\w+")

_MONTHS = (
    # English, German, French, Spanish, Portuguese, Italian, Dutch, Nordic: many begin alike
    *(
        "jan",
        "feb",
        "mar",
        "mär",
        "apr",
        "mai",
        "may",
        "maj",
        "maí",
        "jun",
        "jún",
        "jul",
        "júl",
        "aug",
        "ágú",
    ),
    *(
        "sep",
        "oct",
        "okt",
        "nov",
        "nóv",
        "dec",
        "dez",
        "des",
        "fév",
        "avr",
        "juin",
        "juil",
        "aoû",
        "déc",
        "ene",
    ),
    *("abr", "ago", "dic", "fev", "set", "out", "gen", "mag", "giu", "lug", "ott", "mei", "mrt"),
    # Polish; Czech and Slovak
    *("sty", "lut", "kwi", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"),
    *("led", "úno", "bře", "dub", "kvě", "čer", "srp", "zář", "říj", "pro", "máj"),
    # Russian and Bulgarian; Ukrainian
    *(
        "янв",
        "фев",
        "мар",
        "апр",
        "май",
        "мая",
        "июн",
        "июл",
        "авг",
        "сен",
        "окт",
        "ноя",
        "ное",
        "дек",
        "юни",
        "юли",
    ),
    *("січ", "лют", "бер", "кві", "тра", "чер", "лип", "сер", "вер", "жов", "лис", "гру"),
    # Hungarian, Romanian; Finnish; Turkish; Croatian; Greek
    *("már", "ápr", "sze", "ian", "iun", "iul", "noi"),
    *("tam", "hel", "maa", "huh", "tou", "kes", "hei", "elo", "syy", "lok", "jou"),
    *("oca", "şub", "nis", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara"),
    *("sij", "vel", "ožu", "svi", "kol", "ruj", "stu"),
    *("ιαν", "φεβ", "μαρ", "απρ", "μαΐ", "μαϊ", "ιου", "αυγ", "σεπ", "οκτ", "νοε", "δεκ"),
)
"""Beginnings of months, in small letters."""

_WROTE = {
    *("wrote", "writes", "schrieb", "schrieben", "geschrieben", "schreibt"),
    *("pisze", "napisał", "napisała", "napisana", "napísal", "napísala", "napsal", "napsala"),
    *("skrifaði", "skrifar", "написал", "написала", "пишет", "писал", "писала", "пише", "написа"),
    *("écrit", "écrivait", "scritto", "scrisse", "scrive", "escribió", "escrito", "escrit", "escreveu"),
    *("schreef", "geschreven", "skrev", "skreiv", "kirjoitti", "írta", "scris", "yazdı", "έγραψε"),
    *("napisao", "pisal", "pisala", "rašė", "rakstīja", "kirjutas", "menulis"),
}
_WROTE_WITHIN = ("写道", "寫道", "のメール", "님이", "작성", "さんは書きました", "đã viết")

_OPENINGS = {
    *("on", "am", "le", "el", "em", "il", "op", "den", "dnia", "w", "dňa", "dne", "þann", "pe", "în", "στις"),
    *("в", "на", "wiadomość"),
}
"""First words of an introduction, where a date or the like follows."""

_FORWARDS = (
    *("begin forwarded message", "anfang der weitergeleiteten", "début du message réexpédié"),
    *("début du message transféré", "inizio messaggio inoltrato", "inizio del messaggio inoltrato"),
    *("inicio del mensaje reenviado", "início da mensagem encaminhada", "início da mensagem reencaminhada"),
    *("początek przekazanej", "początek przekazywanej", "początek przesyłanej", "początek przesłanej"),
    *("začiatok preposlan", "začiatok preposiel", "začátek přeposlan", "začátek přeposíl"),
    *("начало переадресованного", "начало пересылаемого", "начало пересланного", "початок пересланого"),
    *("upphaf framsend", "upphaf áframsend", "begin doorgestuurd bericht", "vidarebefordrat brev"),
    *("vidarebefordrat mejl", "vidarebefordrat meddelande", "start på videresendt", "videresendt besked"),
    *("videresendt melding", "välitetty viesti alkaa", "edelleenlähetetty viesti alkaa"),
    *("továbbított levél kezdete", "továbbított üzenet kezdete", "începutul mesajului redirecționat"),
    *("iletilmiş mesajın başlangıcı", "yönlendirilen ileti başlangıcı", "početak proslijeđene poruke"),
    *("έναρξη προωθημένου μηνύματος", "転送されたメッセージ", "以下是转发的邮件", "以下是被转发的邮件"),
    *("以下為轉寄的郵件", "전달된 메시지"),
)
"""Beginnings of lines that introduce a forwarded message and end with a colon."""


def _combine(firsts: str, seconds: str) -> tuple[str, ...]:
    """Each of *firsts* with each of *seconds*, both parted by bars."""
    return tuple(f"{first} {second}" for first in firsts.split("|") for second in seconds.split("|"))


_ADDED = (
    *_combine("sent|sent securely", "from |with |via |using "),
    *_combine("get outlook|get bluemail|get spark|get thunderbird|get yahoo mail", "for "),
    *_combine("outlook", "für |for |voor |pour |para |per |pro |pre |dla |til |för |для "),
    *(
        "yahoo mail: ",
        "virus-free",
        "virenfrei",
        "bez wirusów",
        "neobsahuje vírusy",
        "bez virů",
        "без вирусов",
    ),
    *("sans virus", "libre de virus"),
    *_combine("gesendet|verschickt", "mit |von |aus |über |via "),
    *_combine("diese nachricht|diese e-mail|diese mail", "wurde von |wurde mit "),
    *_combine(
        "holen sie sich|laden sie|download|pobierz|pobierz aplikację|pobierz program|uzyskaj", "outlook"
    ),
    *_combine("wysłane|wysłana|wysłano", "z |za |przy |przez |od "),
    *_combine(
        "odoslané|odoslaná|odoslane|odoslaný|poslané|poslane", "z |zo |s |so |cez |pomocou |prostredníctvom "
    ),
    *_combine(
        "odesláno|odeslané|odeslaná|odeslano|posláno|odosláno", "z |ze |s |přes |pomocí |prostřednictvím "
    ),
    *_combine("získať|získajte|stiahnuť|stiahnite si|získejte|získat|stáhnout|stáhněte si", "outlook"),
    *_combine("отправлено|отослано|послано", "с |со |из |от |через "),
    *_combine("надіслано", "з |із |від |через "),
    *_combine("изпратено", "от |с |чрез "),
    *_combine("скачать|получить|загрузить|завантажити|отримати", "outlook"),
    *_combine("sent|sendur|sendt", "úr |frá |með |af "),
    *_combine("sækja|sæktu|náðu í|fá|hämta|hent|få|hanki|lataa", "outlook"),
    *_combine("skickat|skickades|sendt", "från |fra |med |via "),
    *_combine("envoyé", "de |depuis |à partir |avec |via |d'|d’"),
    *_combine("inviato", "da |dal |con |tramite "),
    *_combine(
        "enviado|enviada|enviat", "desde |des de |do |de |da |a partir |com |con |mediante |via |pelo "
    ),
    *_combine("verzonden|verstuurd", "vanaf |vanuit |met |via |van "),
    *_combine(
        "obtenir|obtenez|télécharger|téléchargez|ottieni|scarica|obtener|obtén|obter|obter o", "outlook"
    ),
    *_combine("obtenha|obtenha o|descargar|baixar|baixar o|obțineți|preuzmite|nabavite", "outlook"),
    *_combine("trimis", "de pe |din |cu "),
    *(
        "poslano z ",
        "poslano sa ",
        "poslano iz ",
        "στάλθηκε από ",
        "εστάλη από ",
        "išsiųsta iš ",
        "nosūtīts no ",
        "gửi từ ",
    ),
    *("dikirim dari ", "发自我的", "從我的", "傳送自", "寄自"),
)
"""Beginnings of lines that mail programs add, in small letters."""

_SENT = ("gesendet", "versendet", "verschickt")
_ADDED_OF_DEVICE = ("lähetetty ", "elküldve ", "küldve ", "saadetud ")
_ADDED_FOR_DEVICE = ("küldve", "gönderildi", "から送信", "에서 보냄", "letöltése", "beszerzése", "edinin")
"""Beginnings and ends of such lines that people use as well, so that only lines which name a device count."""

_DEVICES = (
    *(
        "iphone",
        "ipad",
        "ipod",
        "galaxy",
        "android",
        "samsung",
        "huawei",
        "xiaomi",
        "outlook",
        "yahoo",
        "gmail",
    ),
    *("gmx", "web.de", "proton", "thunderbird", "k-9", "smartphone", "mobiltelefon"),
)


def holds_date(text: str) -> bool:
    """Return whether *text* contains a date, a day beside a month, or a current year."""
    if _NUMERIC_DATE.search(text):
        return True
    words = _WORD.findall(text.lower())
    if any(len(word) == 4 and word.isdecimal() and word.startswith(("19", "20")) for word in words):
        return True
    return any(
        (one[:1].isdecimal() and other.startswith(_MONTHS)) or (other.isdecimal() and one.startswith(_MONTHS))
        for one, other in pairwise(word for word in words if word not in ("de", "of"))
    )


def holds_time(text: str) -> bool:
    return _CLOCK.search(text) is not None


def holds_address(text: str) -> bool:
    return "mailto:" in text or _ADDRESS.search(text) is not None


def holds_wrote(text: str) -> bool:
    """Return whether *text* contains a word for "wrote"."""
    text = text.lower()
    return not _WROTE.isdisjoint(_WORD.findall(text)) or any(part in text for part in _WROTE_WITHIN)


def opens_introduction(text: str) -> bool:
    """Return whether *text* begins like an introduction: "On Sat, …", "Am 21.…", "W dniu …"."""
    first, _, second = text.lower().partition(" ")
    if first not in _OPENINGS:
        return False
    second = second.removeprefix("dniu ").removeprefix("napisana ").removeprefix("data ").partition(" ")[0]
    return second[:1].isdecimal() or second.endswith((".", ",")) or second in ("przez", "de")


def begins_forward(text: str) -> bool:
    """Return whether *text* is "Begin forwarded message:" in some language."""
    return text.lower().startswith(_FORWARDS) and text.endswith((":", "："))


def is_added(text: str) -> bool:
    """Return whether *text* is added by a mail program: "Sent from my …"."""
    text = text.lower().rstrip(".")
    if text.startswith(_ADDED) or (text.startswith(("von meinem ", "von meiner ")) and text.endswith(_SENT)):
        return True
    by_device = text.startswith(("von ", "mit ")) and text.endswith(_SENT)
    if by_device or text.startswith(_ADDED_OF_DEVICE) or text.endswith(_ADDED_FOR_DEVICE):
        return any(device in text for device in _DEVICES)
    return False
