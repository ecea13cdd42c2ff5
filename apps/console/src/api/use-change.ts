import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from './call.ts'

/** Reads again whatever these endpoints have answered. */
export const readAgain = async (client: QueryClient, touched: readonly Endpoint[]): Promise<void> => {
  await Promise.all(touched.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
}

export function useReadAgain(touched: readonly Endpoint[]): () => Promise<void> {
  const client = useQueryClient()
  return () => readAgain(client, touched)
}

/** The answer of a change, once all that it touched is read again. */
export async function thenReadAgain<T>(work: Promise<T>, client: QueryClient, touched: readonly Endpoint[]) {
  const answer = await work
  await readAgain(client, touched)
  return answer
}

/**
 * A call that changes something, after which all that it touched is read again. It is quiet: the form or dialog that sent
 * it shows its refusal.
 * @param always also after a refusal, which may tell that others changed it meanwhile
 */
export function useChange<E extends Endpoint>(endpoint: E, touched: readonly Endpoint[], always = false) {
  const client = useQueryClient()
  const after = () => readAgain(client, touched)
  return useMutation<DataOf<E>, Error, BodyInput<E>>({
    mutationFn: (body) => call(endpoint, body, { quiet: true }),
    ...(always ? { onSettled: after } : { onSuccess: after }),
  })
}
