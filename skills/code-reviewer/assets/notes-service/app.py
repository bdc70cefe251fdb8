"""A small service for notes. It is a sample to review: do not use any of it."""

import hashlib
import logging
import sqlite3
import urllib.request

from flask import Flask, abort, jsonify, request, send_file, session

app = Flask(__name__)
app.secret_key = "change-me"
log = logging.getLogger("notes")
db = sqlite3.connect("notes.db", check_same_thread=False)


@app.post("/login")
def login():
    name = request.json["name"]
    word = request.json["password"]
    log.info("login of %s with %s", name, word)
    hashed = hashlib.md5(word.encode()).hexdigest()
    row = db.execute("SELECT id FROM users WHERE name = ? AND password = ?", (name, hashed)).fetchone()
    if row is None:
        abort(401)
    session["user"] = row[0]
    return jsonify(ok=True)


@app.get("/search")
def search():
    word = request.args.get("q", "")
    rows = db.execute(f"SELECT id, title FROM notes WHERE title LIKE '%{word}%'").fetchall()
    return jsonify(rows)


@app.get("/notes/<int:note>")
def read(note):
    if "user" not in session:
        abort(401)
    row = db.execute("SELECT title, body FROM notes WHERE id = ?", (note,)).fetchone()
    return jsonify(row) if row else abort(404)


@app.get("/attachments")
def attachment():
    if "user" not in session:
        abort(401)
    return send_file("/srv/attachments/" + request.args["file"])


@app.post("/preview")
def preview():
    if "user" not in session:
        abort(401)
    with urllib.request.urlopen(request.json["address"]) as page:
        return page.read(100_000)


if __name__ == "__main__":
    app.run(host="0.0.0.0", debug=True)
