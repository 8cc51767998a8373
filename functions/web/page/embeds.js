import { h } from './dom.js';

/** Scripts, popups and downloads, but never the origin of this page: an embed can reach nothing of it. */
const SANDBOX = 'allow-scripts allow-popups allow-downloads';
const isAddress = (embed) => /^(https?:)?\/\//.test(embed);
const TALLEST = 2000;

/** Frames that have not changed are left alone, because moving one loads it again. */
export function createEmbeds() {
  const element = h('div', { class: 'embeds' });
  let shown = [];
  return {
    element,
    update(embeds = []) {
      const texts = embeds.filter((embed) => typeof embed === 'string');
      const differs = texts.findIndex((embed, i) => embed !== shown[i]);
      const keep = differs === -1 ? texts.length : differs;
      while (element.childElementCount > keep) element.lastElementChild?.remove();
      element.append(...texts.slice(keep).map((embed, i) => frame(embed, keep + i + 1)));
      shown = texts;
    },
  };
}

function frame(embed, number) {
  const one = h('iframe', {
    sandbox: SANDBOX,
    title: `Embedded content ${number}`,
    referrerpolicy: 'no-referrer',
    loading: 'lazy',
    src: isAddress(embed) ? embed : new URL('embed.html', import.meta.url).href,
  });
  if (!isAddress(embed))
    one.addEventListener('load', () => one.contentWindow?.postMessage({ html: embed }, '*'), { once: true });
  return one;
}

/** An embed may say how tall it is. */
addEventListener('message', ({ source, data }) => {
  if (data?.type !== 'iframe:height' || !Number.isFinite(data.height)) return;
  const frames = [...document.querySelectorAll('.embeds iframe')];
  const sender = /** @type {HTMLIFrameElement | undefined} */ (
    frames.find((one) => /** @type {HTMLIFrameElement} */ (one).contentWindow === source)
  );
  if (sender) sender.style.height = `${Math.min(Math.max(data.height, 40), TALLEST)}px`;
});
