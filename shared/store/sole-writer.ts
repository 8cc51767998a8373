let isSole = false;

/** Said by a host that owns its tables: whatever is written there, this process writes, and `onWrite` hears of it. */
export const declareSoleWriter = () => void (isSole = true);

/** In the cloud many processes write, and none hears of the others. */
export const isSoleWriter = () => isSole;
