// Run by the test inside the page, which itself has no script: unfolds everything
// and measures what a reader meets.
(() => {
  for (const d of document.querySelectorAll("details")) d.open = true;
  const root = document.documentElement;
  const wide = [], faint = [], small = [], thin = [];
  let texts = 0;

  const name = e => e.tagName.toLowerCase() + (e.className && e.className.baseVal === undefined ? "." + e.className : "");

  // Every colour, however it is spelled, as a canvas paints it.
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = colour => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => below.map((c, i) => i === 3 ? 1 : top[i] * top[3] + c * (1 - top[3]));
  const behind = e => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) layers.unshift(paint(getComputedStyle(at).backgroundColor));
    return layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const luminance = c => {
    const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };

  for (const e of document.body.querySelectorAll("*")) {
    const style = getComputedStyle(e), box = e.getBoundingClientRect();
    if (style.visibility === "hidden" || box.width <= 1 || box.height <= 1) continue;
    if (e.closest(".label")?.getBoundingClientRect().width === 1) continue; // cut off, for ears alone
    if ((box.right > root.clientWidth + 0.5 || box.left < -0.5) && wide.length < 5) wide.push(name(e));
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== "");
    // Text that runs out of its own box is read by nobody, either.
    if (e.scrollWidth > e.clientWidth + 1 && style.display !== "inline" && e.clientWidth > 0 && own && wide.length < 5) wide.push("inside " + name(e));
    if (!own) continue;
    texts++;
    const below = behind(e), found = contrast(over(paint(style.color), below), below);
    if (found < 4.5 && faint.length < 5) faint.push(`${name(e)} ${found.toFixed(2)}: ${e.textContent.slice(0, 40)}`);
    // A column of single letters is no text. In a long name alone a break is one of need.
    const range = document.createRange();
    range.selectNodeContents(e);
    const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top))).size;
    const words = e.textContent.trim().split(/\s+/).length;
    if (lines > words + 2 && box.width < 10 * parseFloat(style.fontSize) && thin.length < 5) thin.push(`${name(e)}: ${e.textContent.slice(0, 40)}`);
    if (parseFloat(style.fontSize) < 12 && small.length < 5) small.push(`${name(e)} ${style.fontSize}`);
  }
  return {
    Scroll: root.scrollWidth, Client: root.clientWidth, Wide: wide, Faint: faint, Small: small, Thin: thin, Texts: texts,
    Text: document.body.innerText,
  };
})()
