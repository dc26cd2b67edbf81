// A photo is made small before it is sent: forms may be 128 kB, and a phone's photos have many times that. The server
// cuts and encodes it anew whatever comes.

const QUALITY = 0.9;

async function shrink(file, side) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const part = Math.min(picture.width, picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.min(side, part);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const [left, top] = [(picture.width - part) / 2, (picture.height - part) / 2];
  pen.drawImage(picture, left, top, part, part, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  return new File([blob], "photo.jpg", { type: "image/jpeg" });
}

document.addEventListener("change", async ({ target }) => {
  if (!target.matches("input[type=file][data-shrink]") || !target.files.length) {
    return;
  }
  const chosen = new DataTransfer();
  try {
    chosen.items.add(await shrink(target.files[0], Number(target.dataset.shrink)));
  } catch {
    return; // no picture that this browser reads: the server says so
  }
  target.files = chosen.files;
});
