DATE_FORMAT = "j. n. Y"  # Django has no genitive of the months, as "24. novembra" would need
DATETIME_FORMAT = "j. n. Y H:i"
SHORT_DATETIME_FORMAT = "D j. b, H:i"
MONTH_DAY_FORMAT = "j. n."
