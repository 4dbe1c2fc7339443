import { route } from "../../../src/http/route";

/** The visitor's sessions of every door, those that fit the query; with `watch`, as they change. */
export const GET = route(({ request, api }) => api.get(`sessions${new URL(request.url).search}`));
