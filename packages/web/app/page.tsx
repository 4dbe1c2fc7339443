export default function Page() {
	return <main>Baton</main>;
}
