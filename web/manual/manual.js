// Searches the manual: sections that have all words, those with a word in their title first.
const input = document.getElementById("search");
const list = document.getElementById("found");
const here = document.currentScript.src;
let sections;

function shown(section, words) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = new URL(`..${section.at}`, here); // also under a proxy's prefix
    link.textContent = section.title === section.page ? section.page : `${section.page}: ${section.title}`;
    const around = document.createElement("small");
    const at = Math.max(0, section.text.toLowerCase().indexOf(words[0]) - 60);
    around.textContent = (at > 0 ? "…" : "") + section.text.slice(at, at + 200) + "…";
    item.append(link, around);
    return item;
}

async function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0 && !sections)
        sections = await (await fetch(new URL("search.json", here))).json();
    const places = words.length === 0 ? [] : sections
        .map(section => ({ section, title: `${section.page} ${section.title}`.toLowerCase(), text: section.text.toLowerCase() }))
        .filter(each => words.every(word => each.title.includes(word) || each.text.includes(word)))
        .map(each => ({ section: each.section, rank: words.filter(word => each.title.includes(word)).length }))
        .sort((a, b) => b.rank - a.rank)
        .slice(0, 20);
    list.replaceChildren(...places.map(place => shown(place.section, words)));
    list.hidden = places.length === 0;
}

input.addEventListener("input", search);
document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== input) {
        event.preventDefault();
        input.focus();
    }
});
