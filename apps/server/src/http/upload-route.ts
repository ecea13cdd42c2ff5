import type { BodyOutput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import type { UploadedFile } from './receive-form.ts'
import type { SignedInContext } from './request-context.ts'
import type { MountedEndpoint, RouteOptions } from './route.ts'

type UploadHandler<E extends Endpoint> = (
  input: BodyOutput<E>,
  file: UploadedFile | undefined,
  ctx: SignedInContext,
) => Promise<DataOf<E>>

/** Ties a handler to a multipart endpoint. */
export const onUpload = <E extends Endpoint>(
  endpoint: E,
  handler: UploadHandler<E>,
  options: RouteOptions = {},
): MountedEndpoint => ({
  endpoint,
  run: async (input, ctx, file) => handler(input as BodyOutput<E>, file, ctx as SignedInContext),
  options,
})
