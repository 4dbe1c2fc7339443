/** Grows when a client of before would no longer understand. */
export const PROTOCOL_VERSION = 1;
