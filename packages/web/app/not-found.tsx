export default function NotFound() {
	return (
		<main className="nowhere">
			<h1>There is nothing at this address.</h1>
			<a className="button" href="/">
				To the playground
			</a>
		</main>
	);
}
