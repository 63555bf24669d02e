// The animal store in Express, everything left to its defaults.
const express = require("express");

const app = express();
const pets = new Map();
let lastId = 0;

app.use(express.json());

app.use((req, res, next) => {
  const [scheme, token] = (req.get("Authorization") || "").split(" ");
  if (scheme !== "Bearer" || token !== process.env.API_KEY) {
    return res.status(401).json({ error: "Unauthorized" });
  }
  next();
});

app.get("/v1/pets", (req, res) => {
  const limit = Number(req.query.limit) || 20;
  let found = [...pets.values()];
  if (req.query.status) found = found.filter((pet) => pet.status === req.query.status);
  res.json(found.slice(0, limit));
});

app.post("/v1/pets", (req, res) => {
  const { name, categoryId, status = "available" } = req.body;
  if (!name || !categoryId) {
    return res.status(400).json({ error: "name and categoryId are required" });
  }
  const pet = { id: ++lastId, name, categoryId, status };
  pets.set(pet.id, pet);
  res.status(201).json(pet);
});

app.get("/v1/pets/:id", (req, res) => {
  const pet = pets.get(Number(req.params.id));
  if (!pet) return res.status(404).json({ error: "Not found" });
  res.json(pet);
});

app.listen(Number(process.env.PORT), "127.0.0.1");
