import { h } from './dom.js';

const REMEMBERED = 'atrium.model';

/** The model to ask, remembered in this browser. */
export function createModels(ask) {
  const element = h('select', { 'aria-label': 'Model' });
  let models = [];
  let loading = Promise.resolve();
  const choose = (id) => {
    if (models.some((model) => model.id === id)) element.value = id;
  };
  const load = async () => {
    const { data } = await ask('GET /api/models');
    models = data.map(({ id, name }) => ({ id, name: name ?? id }));
    const before = element.value || localStorage.getItem(REMEMBERED);
    element.replaceChildren(...models.map(({ id, name }) => h('option', { value: id }, name)));
    choose(before);
  };
  element.addEventListener('change', () => localStorage.setItem(REMEMBERED, element.value));
  return {
    element,
    choose,
    /** Whoever writes before the models are here waits for them. */
    async chosen() {
      await loading;
      return models.find(({ id }) => id === element.value);
    },
    load() {
      loading = load();
      return loading;
    },
  };
}
