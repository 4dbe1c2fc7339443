import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { main } from "./main";

let said = "";
beforeEach(() => {
	said = "";
	vi.spyOn(console, "error").mockImplementation((text) => {
		said += text;
	});
	vi.spyOn(process.stdout, "write").mockImplementation(() => true);
});
afterEach(() => vi.restoreAllMocks());

const call = (line: string) => main(line.split(" "), {}, "/dev/null");

it.each([
	"start --door foo",
	"start --json",
	"doctor --nope",
	"doctor --dev",
	"chat --nope",
	"chat --once",
	"bench --nope",
	"bench --port 1",
	"sessions --nope",
	"sessions list --nope",
	"sessions list --once",
	"sessions show one --yes",
	"sessions follow one --out /dev/null/here",
	"sessions export --out /dev/null/here --search it",
	"sessions delete one --after 1",
	"--version --nope",
	"--help --nope",
	"help start --nope",
])("baton %s: an option that this command does not have is refused", async (line) => {
	expect(await call(line)).toBe(2);
	expect(said).toMatch(/^baton: Unknown option '--\w+'\./);
});

it.each(["start foo", "doctor foo", "chat foo", "sessions list foo", "--version foo", "help foo"])(
	"baton %s: a word that means nothing there is refused",
	async (line) => {
		expect(await call(line)).toBe(2);
	},
);

it.each(["help", "help start", "sessions --json list --help", "bench turn --quick --help"])(
	"baton %s is taken",
	async (line) => {
		expect(await call(line)).toBe(0);
	},
);
