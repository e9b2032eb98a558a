// Fills in what the running binary says of itself.
const facts = await (await fetch("/api/about")).json();
document.getElementById("version").textContent = facts.version;
document.getElementById("isa").textContent = facts.isa;
