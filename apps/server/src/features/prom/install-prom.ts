/** /api/v1/prom: what chart tools ask of Prometheus, by GET and by forms; one right opens all of it. */
import { keyStart } from '@ithings/contract/features/api-keys.ts'
import { promQuery } from '@ithings/contract/features/prom.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { groupWithChildren } from '#features/devices/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { passGate } from '#http/route.ts'
import { version } from '#version.ts'
import { metricOf, sendAnswer, sendData, sendError } from './answer.ts'
import { listAllSeries, listLabels, listLabelValues, listMetadata } from './list-labels.ts'
import type { Scope } from './metrics.ts'
import { limitOf, paramsOf } from './params.ts'
import type { PromDeps } from './prom-deps.ts'
import { type Asker, makeQueryRunner } from './run-query.ts'

const base = promQuery.path.slice(0, promQuery.path.lastIndexOf('/'))
const form = 'application/x-www-form-urlencoded'

/** Chart tools offer a name and a password: a key as the password counts, whatever the name. */
function basicKey({ headers }: FastifyRequest): string | undefined {
  const [, encoded = ''] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return password.startsWith(keyStart) ? password : undefined
}

/** A key of one product or group sees the series of that one only. */
async function scopeOf({ db }: PromDeps, { key }: SignedInUser): Promise<Scope> {
  const { productID, inGroupID } = ((await key?.narrow?.(promQuery, {})) ?? {}) as {
    productID?: string
    inGroupID?: number
  }
  return {
    ...(productID !== undefined && { productID }),
    ...(inGroupID !== undefined && { groups: await groupWithChildren(db, inGroupID) }),
  }
}

type Handle = (asker: Asker, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

function handlers(deps: PromDeps): Record<string, Handle> {
  const run = makeQueryRunner(deps)
  const query =
    (instant: boolean): Handle =>
    async (asker, _request, reply) => {
      const { answer, grid } = await run(asker, instant)
      return sendAnswer(reply, answer, { grid, instant, limit: limitOf(asker.params) })
    }
  return {
    query: query(true),
    query_range: query(false),
    labels: async (asker, _request, reply) => {
      const { list, warnings } = await listLabels(deps, asker)
      return sendData(reply, list, warnings)
    },
    'label/:name/values': async (asker, request, reply) => {
      const { name } = request.params as { name: string }
      const { list, warnings } = await listLabelValues(deps, asker, name)
      return sendData(reply, list, warnings)
    },
    series: async (asker, _request, reply) => {
      const { list, warnings } = await listAllSeries(deps, asker)
      return sendData(reply, list.map(metricOf), warnings)
    },
    metadata: async (asker, _request, reply) => sendData(reply, await listMetadata(deps, asker)),
    // Tools look which Prometheus this is: the one whose rules we follow.
    'status/buildinfo': async (_asker, _request, reply) =>
      sendData(reply, {
        version: '3.0.0',
        revision: `ithings-core ${version}`,
        branch: '',
        buildUser: '',
        buildDate: '',
        goVersion: '',
      }),
  }
}

export async function installProm(app: FastifyInstance, deps: PromDeps): Promise<void> {
  await app.register((room, _options, done) => {
    room.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body))
    room.setErrorHandler(sendError)
    for (const [name, handle] of Object.entries(handlers(deps))) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const user = await passGate(promQuery, request, reply, deps.gate, basicKey(request))
        const gone = () => reply.raw.destroyed
        return handle({ params: paramsOf(request), scope: await scopeOf(deps, user), gone }, request, reply)
      }
      // Tools add /api/v1/ to the address that they are given.
      for (const url of [`${base}/${name}`, `${base}/api/v1/${name}`]) {
        room.route({ method: ['GET', 'POST'], url, config: { endpoint: promQuery }, handler })
      }
    }
    done()
  })
}
