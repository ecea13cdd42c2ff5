import { listChannels } from '@ithings/contract/features/notify.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

/** There are at most a few hundred, so all of them come at once. */
export const allChannelsQuery = endpointQuery(listChannels, {}, { quiet: true })
