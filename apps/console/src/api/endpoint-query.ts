import type { BodyInput, Endpoint } from '@ithings/contract/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'
import { type CallOptions, call } from './call.ts'

/** What a screen reads. It is kept under the endpoint's path, by which a change names what is to be read again. */
export const endpointQuery = <E extends Endpoint>(endpoint: E, body: BodyInput<E>, options?: CallOptions) =>
  queryOptions({
    queryKey: [endpoint.path, body],
    queryFn: ({ signal }) => call(endpoint, body, { ...options, signal }),
  })
