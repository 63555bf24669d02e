"""The animal store in FastAPI, with repairs of everything that its defaults break."""

import hmac
import itertools
import os
from collections.abc import Awaitable, Callable
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated

import uvicorn
from fastapi import APIRouter, FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteHTTPException

API_KEY = os.environ["API_KEY"].encode()
DEPRECATED = {"Deprecation": "@1763596800", "Sunset": "Thu, 05 Dec 2030 00:00:00 GMT"}


class Status(StrEnum):
    """Availability status."""

    AVAILABLE = "available"
    PENDING = "pending"
    SOLD = "sold"


class NewPet(BaseModel):
    """An animal as a client sends it."""

    name: str
    categoryId: Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]  # noqa: N815 - the interface's own word
    status: Status = Status.AVAILABLE


class Pet(NewPet):
    """An animal as it is stored."""

    id: int


pets: dict[int, Pet] = {}
ids = itertools.count(1)
router = APIRouter(prefix="/v1", tags=["animals"])
app = FastAPI(title="Animal Store Service", version="1.0.0")


def error(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The Error of the interface."""
    code = HTTPStatus(status).name.lower()
    return JSONResponse({"code": code, "message": message, "status": status}, status, headers)


@app.exception_handler(StarletteHTTPException)
async def answer_exception(_: Request, problem: StarletteHTTPException) -> Response:
    """Answer what the application and the router refuse, including bodies that the parser refuses."""
    return error(problem.status_code, str(problem.detail), dict(problem.headers or {}))


@app.exception_handler(RequestValidationError)
async def answer_invalid(_: Request, problem: RequestValidationError) -> Response:
    """Answer what validation refuses, without the values, since not all of them can be sent back."""
    where = {".".join(map(str, each["loc"])) for each in problem.errors()}
    return error(400, f"Invalid: {', '.join(sorted(where))}")


@app.middleware("http")
async def require_key(request: Request, proceed: Callable[[Request], Awaitable[Response]]) -> Response:
    """Let only the key in, before anything else of the request is read."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(key.encode(), API_KEY):
        return error(401, "A valid API key is required.", {"WWW-Authenticate": "Bearer"})
    return await proceed(request)


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
async def get_pet(pet_id: int, response: Response) -> Pet:
    """Get an animal."""
    if pet_id not in pets:
        raise HTTPException(404, "No animal has this identifier.", headers=DEPRECATED)
    response.headers.update(DEPRECATED)
    return pets[pet_id]


app.include_router(router)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
