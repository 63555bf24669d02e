"""The animal store in FastAPI, with all defaults."""

import itertools
import os
from enum import StrEnum
from typing import Annotated

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

API_KEY = os.environ["API_KEY"]


class Status(StrEnum):
    """Availability status."""

    AVAILABLE = "available"
    PENDING = "pending"
    SOLD = "sold"


class NewPet(BaseModel):
    """An animal as a client sends it."""

    name: str
    categoryId: int  # noqa: N815 - the interface's own word
    status: Status | None = None


class Pet(NewPet):
    """An animal as it is stored."""

    id: int


pets: dict[int, Pet] = {}
ids = itertools.count(1)


def require_key(credentials: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]) -> None:
    """Let only the key in."""
    if credentials.credentials != API_KEY:
        raise HTTPException(401, "Invalid API key")


router = APIRouter(prefix="/v1", tags=["animals"], dependencies=[Depends(require_key)])


@router.get("/pets")
async def list_pets(
    limit: Annotated[int, Query(ge=1, le=100)] = 20, status: Status | None = None
) -> list[Pet]:
    """List animals."""
    return [pet for pet in pets.values() if status is None or pet.status == status][:limit]


@router.post("/pets", status_code=201)
async def create_pet(new: NewPet) -> Pet:
    """Add an animal."""
    pet = Pet(id=next(ids), **new.model_dump())
    pets[pet.id] = pet
    return pet


@router.get("/pets/{pet_id}", deprecated=True)
async def get_pet(pet_id: int) -> Pet:
    """Get an animal."""
    if pet_id not in pets:
        raise HTTPException(404, "Pet not found")
    return pets[pet_id]


app = FastAPI(title="Animal Store Service", version="1.0.0")
app.include_router(router)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
