import { QueryClient } from '@tanstack/react-query'

/** spec 9: focus-refresh interval. */
export const focusRefresh = 5000
/** spec 9: request cache default. */
export const requestCache = 5 * 60_000

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Younger data is not asked again when the window gets the focus.
        staleTime: focusRefresh,
        gcTime: requestCache,
        // call() already repeats reads that met no server, before it tells about them.
        retry: false,
        // The platform may stand in a network that the browser takes for "offline".
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
