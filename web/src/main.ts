// The first of the scripts. It needs no other one to say that another one is gone.

// The page was read before an upgrade of the master, or the connection broke; there may be no texts either.
function sayLost(): void {
    const [button, said] = [document.createElement("button"), document.createElement("p")];
    button.textContent = "Load the page again / ページを再読み込み";
    button.onclick = () => location.reload();
    said.setAttribute("role", "alert");
    said.className = "empty";
    said.append(button);
    document.getElementById("console")?.replaceChildren(said);
}

import("./open")
    .then(({ open }) => open())
    .catch((error: unknown) => {
        sayLost();
        throw error;
    });
