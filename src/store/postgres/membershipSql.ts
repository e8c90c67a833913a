import { type PreparedStatement } from './connection.ts';

const millisecondsBetween = (from: string, to: string): string =>
  `(extract(epoch FROM ${to} - ${from}) * 1000)::float8`;
const epochMilliseconds = (at: string): string => millisecondsBetween("'epoch'::timestamptz", at);

/**
 * Renews leases: an expired lease goes to the first node that requests it, a valid lease stays with its holder. A node
 * at the stage `open` or `leaving` records the heartbeat of the floor. A node records the heartbeat of a table only
 * while it holds the lease of the table, and only if the table has a stream: to `punto verify`, a heartbeat without a
 * stream means that the stream was deleted.
 */
export const renewLeasesStatement: PreparedStatement = {
  name: 'renew',
  text: `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS at),
  mine AS (
    INSERT INTO leases AS former (name, node, since, until)
    SELECT name, $1, at, at + $8::float8 * interval '1 millisecond'
    FROM moment, unnest($6::text[]) AS wanted (name) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET
      since = CASE WHEN former.node = excluded.node THEN former.since ELSE excluded.since END,
      node = excluded.node, until = excluded.until
    WHERE former.node = excluded.node OR former.until <= clock_timestamp()
    RETURNING name, since
  ),
  alive AS (
    INSERT INTO heartbeats (name, at)
    SELECT name, floor(${epochMilliseconds('at')})::bigint
    FROM moment, unnest($7::text[] || CASE WHEN $5 IN ('open', 'leaving') THEN '{floor}'::text[] ELSE '{}' END) AS driven (name)
    WHERE name = 'floor' OR (name IN (SELECT name FROM mine) AND name IN (SELECT stream FROM heads)) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET at = greatest(heartbeats.at, excluded.at)
  ),
  me AS (
    INSERT INTO nodes (node, browser_url, node_url, may_lead, stage, joined_at, last_seen_at)
    SELECT $1, $2, $3, $4::boolean, $5, at, at FROM moment
    ON CONFLICT (node) DO UPDATE SET browser_url = excluded.browser_url, node_url = excluded.node_url,
      may_lead = excluded.may_lead, stage = excluded.stage, last_seen_at = excluded.last_seen_at
  ),
  gone AS (DELETE FROM nodes USING moment WHERE last_seen_at < at - interval '1 day' AND node <> $1),
  others AS (
    SELECT name, node, ${millisecondsBetween('at', 'until')} AS "left" FROM moment, leases
    WHERE until > at AND node <> $1 AND name NOT IN (SELECT name FROM mine)
  ),
  there AS (
    SELECT node AS id, browser_url AS "browserUrl", node_url AS "nodeUrl", may_lead AS "mayLead", stage,
      ${millisecondsBetween('last_seen_at', 'at')} AS silent
    FROM moment, nodes WHERE node <> $1 AND last_seen_at >= at - interval '1 day'
  )
  SELECT ${epochMilliseconds('at')} AS at,
    (SELECT coalesce(json_agg(json_build_object('name', name, 'since', ${epochMilliseconds('since')}) ORDER BY name), '[]') FROM mine)
      AS mine,
    (SELECT coalesce(json_agg(others ORDER BY name), '[]') FROM others) AS others,
    (SELECT coalesce(json_agg(there ORDER BY id), '[]') FROM there) AS nodes
  FROM moment`.replaceAll(/\$(1|2|3|5)\b/g, '$$$1::text'),
};

/**
 * Fencing: raises the epoch in the heads of leased streams, so that late writes of a former leader are refused. A
 * stream without entries has no head, so its epoch is stored in the lease only. Its first append expects the sequence
 * 0, and is refused if another leader has appended first.
 */
export const beginEpochsStatement: PreparedStatement = {
  name: 'take',
  text: `WITH mine AS MATERIALIZED (
    SELECT name, epoch FROM leases
    WHERE name = ANY ($2::text[]) AND node = $1::text AND until > clock_timestamp() ORDER BY name FOR UPDATE
  ),
  head AS MATERIALIZED (
    SELECT stream, epoch FROM heads WHERE stream IN (SELECT name FROM mine) ORDER BY stream FOR UPDATE
  ),
  next AS MATERIALIZED (
    SELECT name, greatest(mine.epoch, coalesce(head.epoch, 0)) + 1 AS epoch
    FROM mine LEFT JOIN head ON head.stream = mine.name
  ),
  raised AS (UPDATE heads SET epoch = next.epoch FROM next WHERE heads.stream = next.name),
  kept AS (UPDATE leases SET epoch = next.epoch FROM next WHERE leases.name = next.name)
  SELECT next.name, next.epoch, heartbeats.at AS "heartbeatAt" FROM next LEFT JOIN heartbeats ON heartbeats.name = next.name ORDER BY next.name`,
};

export const releaseLeasesStatement: PreparedStatement = {
  name: 'let-go',
  text: 'UPDATE leases SET until = least(until, clock_timestamp()) WHERE node = $1 AND name = ANY ($2::text[])',
};

export const removeNodeStatement: PreparedStatement = {
  name: 'leave',
  text: `WITH let AS (UPDATE leases SET until = least(until, clock_timestamp()) WHERE node = $1)
    DELETE FROM nodes WHERE node = $1`,
};

export const readHeadsStatement: PreparedStatement = {
  name: 'heads-of',
  text: 'SELECT stream, sequence FROM heads WHERE stream = ANY ($1::text[])',
};

export const listNodesStatement: PreparedStatement = {
  name: 'list-nodes',
  text: `SELECT node AS id, browser_url AS "browserUrl", node_url AS "nodeUrl", may_lead AS "mayLead", stage,
      ${millisecondsBetween('last_seen_at', 'clock_timestamp()')} AS silent, ${epochMilliseconds('joined_at')} AS since,
      (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM leases
       WHERE leases.node = nodes.node AND until > clock_timestamp()) AS holds
    FROM nodes ORDER BY joined_at, node`,
};
