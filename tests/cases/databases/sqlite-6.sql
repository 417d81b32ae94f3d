BEGIN TRANSACTION;
CREATE TABLE finished_game (
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	game VARCHAR(100) NOT NULL, 
	"end" VARCHAR(8) NOT NULL, 
	winners TEXT NOT NULL, 
	choices INTEGER NOT NULL, 
	changed INTEGER NOT NULL, 
	PRIMARY KEY (table_id, number), 
	FOREIGN KEY(table_id) REFERENCES game_table (id)
);
INSERT INTO "finished_game" VALUES(2,1,'nim','won','["p1"]',11,1795845092);
CREATE TABLE game_table (
	id INTEGER NOT NULL, 
	choice TEXT NOT NULL, 
	language VARCHAR(8) NOT NULL, 
	version INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	seats TEXT NOT NULL, 
	made INTEGER NOT NULL, 
	changed INTEGER NOT NULL, used bigint not null default 0, bot_due boolean not null default false, 
	PRIMARY KEY (id)
);
INSERT INTO "game_table" VALUES(1,'nim','en',3,1,'[{"name": "Ann", "bot": false, "language": "en"}, {"name": "greedy", "bot": true, "language": "en"}]',1795845089,1795845091,1795845091,1);
INSERT INTO "game_table" VALUES(2,'nim','de',13,1,'[{"name": "Ann", "bot": false, "language": "en"}, {"name": "B\u00f6b", "bot": false, "language": "fr"}]',1795845091,1795845092,1795845092,0);
INSERT INTO "game_table" VALUES(3,'nim','it',1,0,'[{"name": "", "bot": false, "language": "en"}, {"name": "", "bot": false, "language": "en"}]',1795845092,1795845092,1795845092,0);
CREATE TABLE houserule_schema (
	version INTEGER NOT NULL
);
INSERT INTO "houserule_schema" VALUES(6);
CREATE TABLE own_rules (
	digest VARCHAR(32) NOT NULL, 
	text TEXT NOT NULL, 
	brought INTEGER NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO "own_rules" VALUES('734194ede5b063e654d63cb95a682ca1','a text',1795845092);
CREATE TABLE pass_key (
	hash VARCHAR(64) NOT NULL, 
	table_id INTEGER NOT NULL, 
	role VARCHAR(8) NOT NULL, 
	seat INTEGER, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(table_id) REFERENCES game_table (id)
);
INSERT INTO "pass_key" VALUES('e0bb390725ba9d1fd6e7133c22371160ee6a81a65342239316769c7024985e97',1,'host',NULL);
INSERT INTO "pass_key" VALUES('7f7f451ec785ef92e4b278a10f78c3661e329f510e9c541b7067fb9b3ad65c3c',1,'seat',0);
INSERT INTO "pass_key" VALUES('dbcfd527bbb443dcf76d12eb35b4759781e2eea2f8be98a7069d59502a21fb2e',2,'host',NULL);
INSERT INTO "pass_key" VALUES('b3e00fc524e16646fcd724a9036f40e6ed78426b322551ae4fe56888020e4d21',3,'host',NULL);
CREATE TABLE record_line (
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (table_id, number, at), 
	FOREIGN KEY(table_id) REFERENCES game_table (id)
);
INSERT INTO "record_line" VALUES(1,1,0,'{"format": "houserule record", "version": 2, "game": "nim", "table": {"players": 2, "variants": [], "options": {"first_heap": 3, "growth": 1, "heaps": 3}}, "rules": "22ac4eb8c95eca09", "seed": 3, "number": 0, "players": ["Ann", "greedy"], "bots": ["p2"], "languages": ["en", "en"]}');
INSERT INTO "record_line" VALUES(1,1,1,'{"n": 1, "seat": "p1", "at": "turn", "do": {"take": {"h": 1, "n": 2}}}');
INSERT INTO "record_line" VALUES(2,1,0,'{"format": "houserule record", "version": 2, "game": "nim", "table": {"players": 2, "variants": [], "options": {"first_heap": 3, "growth": 1, "heaps": 3}}, "rules": "22ac4eb8c95eca09", "seed": 4, "number": 0, "players": ["Ann", "Böb"], "languages": ["en", "en"]}');
INSERT INTO "record_line" VALUES(2,1,1,'{"n": 1, "seat": "p1", "at": "turn", "do": {"take": {"h": 1, "n": 2}}}');
INSERT INTO "record_line" VALUES(2,1,2,'{"n": 2, "seat": "p2", "at": "turn", "do": {"take": {"h": 1, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,3,'{"n": 3, "seat": "p1", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,4,'{"n": 4, "seat": "p2", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,5,'{"n": 5, "seat": "p1", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,6,'{"n": 6, "seat": "p2", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,7,'{"n": 7, "seat": "p1", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,8,'{"n": 8, "seat": "p2", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,9,'{"n": 9, "seat": "p1", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,10,'{"n": 10, "seat": "p2", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,11,'{"n": 11, "seat": "p1", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO "record_line" VALUES(2,1,12,'{"end": "won", "winners": ["p1"], "stalled_in": "", "choices": 11, "state": "bcca7691130ff7be"}');
CREATE INDEX ix_pass_key_table_id ON pass_key (table_id);
ALTER TABLE game_table ADD COLUMN chat VARCHAR(8) NOT NULL DEFAULT 'seats';
ALTER TABLE game_table ADD COLUMN clock VARCHAR(24) NOT NULL DEFAULT '';
ALTER TABLE finished_game ADD COLUMN people TEXT NOT NULL DEFAULT '{}';
CREATE TABLE chat_line (
	table_id INTEGER NOT NULL REFERENCES game_table (id), 
	at INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (table_id, at)
);
INSERT INTO "chat_line" VALUES(2,1,0,'Ann','Well played');
COMMIT;
