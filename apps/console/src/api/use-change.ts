import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from './call.ts'

/**
 * A call that changes something, after which all that it touched is read again. It is quiet: the form or dialog that sent
 * it shows its refusal.
 * @param always also after a refusal, which may tell that others changed it meanwhile
 */
export function useChange<E extends Endpoint>(endpoint: E, touched: readonly Endpoint[], always = false) {
  const client = useQueryClient()
  const readAgain = () =>
    Promise.all(touched.map(({ path }) => client.invalidateQueries({ queryKey: [path] }))).then(() => undefined)
  return useMutation<DataOf<E>, Error, BodyInput<E>>({
    mutationFn: (body) => call(endpoint, body, { quiet: true }),
    ...(always ? { onSettled: readAgain } : { onSuccess: readAgain }),
  })
}
