CREATE TABLE public.finished_game (
    table_id integer NOT NULL,
    number integer NOT NULL,
    game character varying(100) NOT NULL,
    "end" character varying(8) NOT NULL,
    winners text NOT NULL,
    choices integer NOT NULL,
    changed bigint NOT NULL
);
CREATE TABLE public.game_table (
    id integer NOT NULL,
    choice text NOT NULL,
    language character varying(8) NOT NULL,
    version integer NOT NULL,
    number integer NOT NULL,
    seats text NOT NULL,
    made bigint NOT NULL,
    changed bigint NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    bot_due boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.game_table_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.game_table_id_seq OWNED BY public.game_table.id;
CREATE TABLE public.houserule_schema (
    version integer NOT NULL
);
CREATE TABLE public.own_rules (
    digest character varying(32) NOT NULL,
    text text NOT NULL,
    brought bigint NOT NULL
);
CREATE TABLE public.pass_key (
    hash character varying(64) NOT NULL,
    table_id integer NOT NULL,
    role character varying(8) NOT NULL,
    seat integer
);
CREATE TABLE public.record_line (
    table_id integer NOT NULL,
    number integer NOT NULL,
    at integer NOT NULL,
    text text NOT NULL
);
ALTER TABLE ONLY public.game_table ALTER COLUMN id SET DEFAULT nextval('public.game_table_id_seq'::regclass);
INSERT INTO public.finished_game VALUES (2, 1, 'nim', 'won', '["p1"]', 11, 1795845119);
INSERT INTO public.game_table VALUES (1, 'nim', 'en', 3, 1, '[{"name": "Ann", "bot": false, "language": "en"}, {"name": "greedy", "bot": true, "language": "en"}]', 1795845118, 1795845119, 1795845119, true);
INSERT INTO public.game_table VALUES (2, 'nim', 'de', 13, 1, '[{"name": "Ann", "bot": false, "language": "en"}, {"name": "B\u00f6b", "bot": false, "language": "fr"}]', 1795845119, 1795845119, 1795845119, false);
INSERT INTO public.game_table VALUES (3, 'nim', 'it', 1, 0, '[{"name": "", "bot": false, "language": "en"}, {"name": "", "bot": false, "language": "en"}]', 1795845119, 1795845119, 1795845119, false);
INSERT INTO public.houserule_schema VALUES (6);
INSERT INTO public.own_rules VALUES ('734194ede5b063e654d63cb95a682ca1', 'a text', 1795845119);
INSERT INTO public.pass_key VALUES ('e0bb390725ba9d1fd6e7133c22371160ee6a81a65342239316769c7024985e97', 1, 'host', NULL);
INSERT INTO public.pass_key VALUES ('7f7f451ec785ef92e4b278a10f78c3661e329f510e9c541b7067fb9b3ad65c3c', 1, 'seat', 0);
INSERT INTO public.pass_key VALUES ('dbcfd527bbb443dcf76d12eb35b4759781e2eea2f8be98a7069d59502a21fb2e', 2, 'host', NULL);
INSERT INTO public.pass_key VALUES ('b3e00fc524e16646fcd724a9036f40e6ed78426b322551ae4fe56888020e4d21', 3, 'host', NULL);
INSERT INTO public.record_line VALUES (1, 1, 0, '{"format": "houserule record", "version": 2, "game": "nim", "table": {"players": 2, "variants": [], "options": {"first_heap": 3, "growth": 1, "heaps": 3}}, "rules": "22ac4eb8c95eca09", "seed": 3, "number": 0, "players": ["Ann", "greedy"], "bots": ["p2"], "languages": ["en", "en"]}');
INSERT INTO public.record_line VALUES (1, 1, 1, '{"n": 1, "seat": "p1", "at": "turn", "do": {"take": {"h": 1, "n": 2}}}');
INSERT INTO public.record_line VALUES (2, 1, 0, '{"format": "houserule record", "version": 2, "game": "nim", "table": {"players": 2, "variants": [], "options": {"first_heap": 3, "growth": 1, "heaps": 3}}, "rules": "22ac4eb8c95eca09", "seed": 4, "number": 0, "players": ["Ann", "Böb"], "languages": ["en", "en"]}');
INSERT INTO public.record_line VALUES (2, 1, 1, '{"n": 1, "seat": "p1", "at": "turn", "do": {"take": {"h": 1, "n": 2}}}');
INSERT INTO public.record_line VALUES (2, 1, 2, '{"n": 2, "seat": "p2", "at": "turn", "do": {"take": {"h": 1, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 3, '{"n": 3, "seat": "p1", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 4, '{"n": 4, "seat": "p2", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 5, '{"n": 5, "seat": "p1", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 6, '{"n": 6, "seat": "p2", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 7, '{"n": 7, "seat": "p1", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 8, '{"n": 8, "seat": "p2", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 9, '{"n": 9, "seat": "p1", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 10, '{"n": 10, "seat": "p2", "at": "turn", "do": {"take": {"h": 2, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 11, '{"n": 11, "seat": "p1", "at": "turn", "do": {"take": {"h": 3, "n": 1}}}');
INSERT INTO public.record_line VALUES (2, 1, 12, '{"end": "won", "winners": ["p1"], "stalled_in": "", "choices": 11, "state": "bcca7691130ff7be"}');
SELECT pg_catalog.setval('public.game_table_id_seq', 3, true);
ALTER TABLE ONLY public.finished_game
    ADD CONSTRAINT finished_game_pkey PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.game_table
    ADD CONSTRAINT game_table_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.own_rules
    ADD CONSTRAINT own_rules_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.pass_key
    ADD CONSTRAINT pass_key_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.record_line
    ADD CONSTRAINT record_line_pkey PRIMARY KEY (table_id, number, at);
CREATE INDEX ix_pass_key_table_id ON public.pass_key USING btree (table_id);
ALTER TABLE ONLY public.finished_game
    ADD CONSTRAINT finished_game_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.game_table(id);
ALTER TABLE ONLY public.pass_key
    ADD CONSTRAINT pass_key_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.game_table(id);
ALTER TABLE ONLY public.record_line
    ADD CONSTRAINT record_line_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.game_table(id);
ALTER TABLE public.game_table ADD COLUMN chat character varying(8) DEFAULT 'seats'::character varying NOT NULL;
ALTER TABLE public.game_table ADD COLUMN clock character varying(24) DEFAULT ''::character varying NOT NULL;
ALTER TABLE public.finished_game ADD COLUMN people text DEFAULT '{}'::text NOT NULL;
CREATE TABLE public.chat_line (
    table_id integer NOT NULL,
    at integer NOT NULL,
    seat integer NOT NULL,
    name text NOT NULL,
    text text NOT NULL
);
INSERT INTO public.chat_line VALUES (2, 1, 0, 'Ann', 'Well played');
ALTER TABLE ONLY public.chat_line
    ADD CONSTRAINT chat_line_pkey PRIMARY KEY (table_id, at);
ALTER TABLE ONLY public.chat_line
    ADD CONSTRAINT chat_line_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.game_table(id);
