import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PublicPackage, publicPackages } from "./public-packages";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const PNPM = join(root, "node_modules/pnpm/bin/pnpm.cjs");
const TSC = join(root, "node_modules/typescript/bin/tsc");

const isFull = Boolean(process.env.BATON_FULL);
/** In the short form one stands for all. */
const packages = publicPackages(root).filter(({ name }) => isFull || name === "@baton/protocol");

/* What is packed is what others get: it is installed beside nothing but what it says it needs. */
describe("the packages, packed", () => {
	let folder: string;
	const tarballs = new Map<string, string>();
	const installed = (name: string) => join(folder, "node_modules", name);
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "baton-packed-"));
		await Promise.all(packages.map(install));
	}, 120_000);
	afterAll(() => rm(folder, { recursive: true, force: true }));

	async function install({ name, path, manifest }: PublicPackage): Promise<void> {
		if (!existsSync(join(path, "dist/index.d.ts"))) {
			throw new Error(`${name} has no types yet: run pnpm build first.`);
		}
		const into = join(folder, "tarballs", name);
		await mkdir(into, { recursive: true });
		const packed = await run(
			process.execPath,
			[PNPM, "pack", "--json", "--pack-destination", into],
			{
				cwd: path,
			},
		);
		const { filename } = JSON.parse(packed.stdout) as { filename: string };
		tarballs.set(name, filename);
		await mkdir(installed(name), { recursive: true });
		await run("tar", ["-xzf", filename, "-C", installed(name), "--strip-components=1"]);
		const needed = { ...manifest.dependencies, ...manifest.peerDependencies };
		for (const dependency of Object.keys(needed)) {
			if (needed[dependency]?.startsWith("workspace:")) continue;
			const link = join(installed(name), "node_modules", dependency);
			await mkdir(dirname(link), { recursive: true });
			await symlink(join(path, "node_modules", dependency), link);
		}
	}

	it.each(packages)(
		"$name has what a package needs, and nothing of its tests",
		async ({ name }) => {
			const manifest = JSON.parse(await readFile(join(installed(name), "package.json"), "utf8"));
			expect(manifest).toMatchObject({
				version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
				license: "MIT",
				description: expect.any(String),
				engines: { node: ">=20.19" },
			});
			expect(JSON.stringify(manifest.dependencies ?? {})).not.toContain("workspace:");
			for (const file of ["LICENSE", "README.md"])
				await readFile(join(installed(name), file), "utf8");
			await expect(readFile(join(installed(name), "tsconfig.json"))).rejects.toThrow("ENOENT");
			await expect(readFile(join(installed(name), "src/index.ts"))).rejects.toThrow("ENOENT");
		},
	);

	it.each(packages)("$name has nothing that publint complains of", async ({ name }) => {
		const { messages, pkg } = await publint({ pkgDir: installed(name), pack: false, strict: true });
		expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
	});

	it.each(isFull ? packages : [])("$name has types where its code is", async ({ name }) => {
		const { checkPackage, createPackageFromTarballData } = await import("@arethetypeswrong/core");
		const tarball = await readFile(tarballs.get(name) as string);
		const analysis = await checkPackage(createPackageFromTarballData(tarball));
		if (!analysis.types) throw new Error("It has no types.");
		// It is ESM alone, which Node 20.19 and later `require` as well; the oldest resolution knows no exports.
		const problems = analysis.problems.filter(
			(problem) =>
				problem.kind !== "CJSResolvesToESM" &&
				!("resolutionKind" in problem && problem.resolutionKind === "node10"),
		);
		expect(problems).toEqual([]);
	});

	it("load, with their types, into a module and into a script", async () => {
		const entries = packages.flatMap(({ entries }) => entries);
		const types = { "consumer.mts": "import * as", "consumer.cts": "import" };
		for (const [file, keyword] of Object.entries(types)) {
			const lines = entries.map((entry, n) =>
				keyword === "import"
					? `import e${n} = require("${entry}");`
					: `import * as e${n} from "${entry}";`,
			);
			const used = entries.map((_, n) => `typeof e${n}`).join(" | ");
			await writeFile(join(folder, file), `${lines.join("\n")}\nexport type Used = ${used};\n`);
		}
		const compilerOptions = {
			module: "nodenext",
			target: "es2022",
			lib: ["es2023", "dom", "dom.iterable"],
			strict: true,
			noEmit: true,
			skipLibCheck: true,
			types: ["node"],
			typeRoots: [join(root, "node_modules/@types")],
		};
		await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
		const checked = await run(process.execPath, [TSC, "-p", folder]).catch((error) => error);
		expect(checked.stdout).toBe("");

		// What is for tests wants a test runner around it.
		const loaded = entries.filter((entry) => !entry.endsWith("/testing"));
		const list = JSON.stringify(loaded);
		await writeFile(join(folder, "run.mjs"), `for (const e of ${list}) await import(e);`);
		await writeFile(join(folder, "run.cjs"), `for (const e of ${list}) require(e);`);
		for (const file of ["run.mjs", "run.cjs"]) {
			await run(process.execPath, [join(folder, file)], { timeout: 30_000 });
		}
	}, 120_000);
});
