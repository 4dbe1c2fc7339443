/** How often a silent stream shows that it lives. The page gives one up after three times as long. */
export const KEEP_ALIVE_MS = 10_000;
