/** What can be taken out: what it was for, where it stands in the built code, what brings it out. */
export const BREAKS = {
	lease: {
		about: "an append of a runner that lost its lease is stored (I4)",
		cut: "if token ~= '' and (lease ~= token or tonumber(expires) <= now) then return {'lease'} end",
		bringsOut: "stop",
	},
};
