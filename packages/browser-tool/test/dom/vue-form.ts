import { createApp, reactive } from "vue";

/* A form in Vue, with v-model in each of its ways. */
const state = reactive({
	name: "",
	email: "",
	about: "",
	guests: 1,
	date: "",
	country: "",
	topics: [],
	terms: false,
	size: "",
	volume: 10,
	news: false,
});

createApp({
	setup: () => ({ state }),
	template: `<form>
		<label>Name <input v-model="state.name"></label>
		<label>Email <input v-model.lazy.trim="state.email"></label>
		<label>About <textarea v-model="state.about"></textarea></label>
		<label>Guests <input type="number" v-model.number="state.guests"></label>
		<label>Date <input type="date" v-model="state.date"></label>
		<label>Country <select v-model="state.country">
			<option value="">Choose</option><option value="no">Norway</option><option value="jp">Japan</option>
		</select></label>
		<label>Topics <select multiple v-model="state.topics">
			<option value="a">Art</option><option value="b">Books</option><option value="c">Chess</option>
		</select></label>
		<label><input type="checkbox" v-model="state.terms"> Terms</label>
		<fieldset><legend>Size</legend>
			<label v-for="size in ['S', 'M', 'L']"><input type="radio" name="size" :value="size" v-model="state.size"> {{ size }}</label>
		</fieldset>
		<label>Volume <input type="range" v-model.number="state.volume"></label>
		<button type="button" role="switch" :aria-checked="String(state.news)" @click="state.news = !state.news">News</button>
		<output id="state">{{ JSON.stringify(state) }}</output>
	</form>`,
}).mount("#app");
