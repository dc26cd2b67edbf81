// Passkeys and security keys: the browser is asked, and what it says is sent with the form around the button.

async function optionsOf(form) {
  if (form.dataset.passkey === "login") {
    const answer = await fetch(form.action, { headers: { accept: "application/json" } });
    return (await answer.json()).request_options.publicKey;
  }
  const { creation_options, request_options } = JSON.parse(document.getElementById("js_data").textContent);
  return (creation_options ?? request_options).publicKey;
}

async function credentialFor(form) {
  const options = await optionsOf(form);
  if (form.dataset.passkey !== "create") {
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  }
  const alone = form.elements.passwordless.checked; // a passkey, which asks for a finger or a PIN
  options.authenticatorSelection = {
    ...options.authenticatorSelection,
    residentKey: alone ? "required" : "discouraged",
    requireResidentKey: alone,
    userVerification: alone ? "required" : "preferred",
  };
  return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
}

async function send(event) {
  const form = event.target;
  if (form.dataset.answered) {
    return; // it is on its way
  }
  event.preventDefault();
  const trouble = form.querySelector("[role=alert]");
  trouble.hidden = true;
  try {
    form.elements.credential.value = JSON.stringify(await credentialFor(form));
    form.dataset.answered = "yes";
    form.requestSubmit();
  } catch (error) {
    console.warn(error); // closed by its owner, most often
    trouble.hidden = false;
  }
}

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", send);
  }
  document.querySelector("[data-no-passkey]")?.remove();
}
