import * as fs from "node:fs";
import { closeSync, constants, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { breathe } from "./breathe";
import { hasCode } from "./file-errors";

const open = promisify(fs.open);
const read = promisify(fs.read);
const write = promisify(fs.write);
const stat = promisify(fs.fstat);
const truncate = promisify(fs.ftruncate);
const datasync = promisify(fs.fdatasync);
const close = promisify(fs.close);

/** Up to this much goes to and from the kernel at once: to have a thread do it takes longer. */
export const AT_ONCE = 64 * 1024;

/** A file by its descriptor. Its positions are always given, so it serves many users at once. */
export class OpenFile {
	readonly #descriptor: number;
	/** Where what was written through it begins: the kernel has that in its memory. */
	#writtenFrom = Number.POSITIVE_INFINITY;

	constructor(descriptor: number) {
		this.#descriptor = descriptor;
	}

	async size(): Promise<number> {
		return (await stat(this.#descriptor)).size;
	}

	/** Which file it is, whatever its name. */
	async inode(): Promise<number> {
		return (await stat(this.#descriptor)).ino;
	}

	/** Resolves to the number of bytes read; 0 at the end of the file. */
	async read(buffer: Buffer, offset: number, length: number, position: number): Promise<number> {
		if (length <= AT_ONCE && position >= this.#writtenFrom) {
			return readSync(this.#descriptor, buffer, offset, length, position);
		}
		const { bytesRead } = await read(this.#descriptor, buffer, offset, length, position);
		return bytesRead;
	}

	/** All of the bytes, or a rejection with some of them written. */
	async write(bytes: Buffer, position: number): Promise<void> {
		this.#writtenFrom = Math.min(this.#writtenFrom, position);
		for (let done = 0; done < bytes.length; ) {
			const written = await this.#writeSome(bytes, done, position + done);
			if (written === 0) throw new Error("The file takes no more.");
			done += written;
		}
		await breathe();
	}

	truncate(length: number): Promise<void> {
		return truncate(this.#descriptor, length);
	}

	datasync(): Promise<void> {
		return datasync(this.#descriptor);
	}

	/** Nobody may use it any more. */
	close(): Promise<void> {
		return close(this.#descriptor);
	}

	/** The same without a thread, for a file that is small. */
	closeAtOnce(): void {
		closeSync(this.#descriptor);
	}

	#writeSome(bytes: Buffer, from: number, position: number): number | Promise<number> {
		const length = bytes.length - from;
		if (length <= AT_ONCE) return writeSync(this.#descriptor, bytes, from, length, position);
		return write(this.#descriptor, bytes, from, length, position).then(
			({ bytesWritten }) => bytesWritten,
		);
	}
}

const { O_RDWR, O_CREAT, O_EXCL, O_RDONLY } = constants;

/** Makes a file that must not be there yet. */
export async function createFile(path: string): Promise<OpenFile> {
	return new OpenFile(await open(path, O_RDWR | O_CREAT | O_EXCL, 0o600));
}

export async function openOrCreate(path: string): Promise<OpenFile> {
	return new OpenFile(await open(path, O_RDWR | O_CREAT, 0o600));
}

export async function openExisting(path: string): Promise<OpenFile> {
	try {
		return new OpenFile(await open(path, O_RDWR));
	} catch (error) {
		// A folder that became read-only can still be read.
		if (!hasCode(error, "EROFS", "EACCES", "EPERM")) throw error;
		return new OpenFile(await open(path, O_RDONLY));
	}
}
