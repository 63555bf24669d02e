// The animal store in Express, with what its defaults break put right.
const express = require("express");
const { createHash, timingSafeEqual } = require("node:crypto");

const app = express();
const pets = new Map();
const statuses = ["available", "pending", "sold"];
let lastId = 0;

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const digest = (text) => createHash("sha256").update(text).digest();
const expected = digest(process.env.API_KEY);

app.use((req, res, next) => {
  const [, scheme, token] = /^(\S+) (.+)$/.exec(req.get("Authorization") || "") || [];
  if (scheme?.toLowerCase() !== "bearer" || !timingSafeEqual(digest(token), expected)) {
    res.set("WWW-Authenticate", "Bearer");
    throw new Refusal(401, "A valid API key is required.");
  }
  next();
});

app.use(express.json());

app.get("/v1/pets", (req, res) => {
  const { limit = "20", status } = req.query;
  if (!/^\d{1,3}$/.test(limit) || limit < 1 || limit > 100) throw new Refusal(400, "limit is an integer from 1 to 100.");
  if (status !== undefined && !statuses.includes(status)) throw new Refusal(400, `status is one of ${statuses}.`);
  res.json([...pets.values()].filter((pet) => !status || pet.status === status).slice(0, Number(limit)));
});

app.post("/v1/pets", (req, res) => {
  const { name, categoryId, status = "available" } = req.body ?? {};
  if (typeof name !== "string") throw new Refusal(400, "name is a string.");
  // Categories are numbered from 1, and not beyond what a number of JavaScript holds.
  if (!Number.isSafeInteger(categoryId) || categoryId < 1) throw new Refusal(400, "There is no such category.");
  if (!statuses.includes(status)) throw new Refusal(400, `status is one of ${statuses}.`);
  const pet = { id: ++lastId, name, categoryId, status };
  pets.set(pet.id, pet);
  res.status(201).json(pet);
});

app.get("/v1/pets/:id", (req, res) => {
  const pet = /^\d{1,15}$/.test(req.params.id) && pets.get(Number(req.params.id));
  if (!pet) throw new Refusal(404, "No animal has this identifier.");
  res.set({ Deprecation: "@1763596800", Sunset: "Thu, 05 Dec 2030 00:00:00 GMT" }).json(pet);
});

app.use(() => {
  throw new Refusal(404, "There is nothing here.");
});

app.use((problem, req, res, next) => {
  const status = problem.status || 500;
  res.status(status).json({ code: `E${status}`, message: problem.message, status });
});

app.listen(Number(process.env.PORT), "127.0.0.1");
