import { logout } from '@ithings/contract/features/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from './call.ts'
import { preview } from './preview.ts'
import { session } from './session-store.ts'
import { loginPath } from './sign-in-path.ts'

export function useSignOut() {
  const navigate = useNavigate()
  const client = useQueryClient()
  return async () => {
    preview.end()
    // Sent with the token that goes now; its answer is not waited for: a server that cannot be reached must not keep
    // anybody signed in on this browser, and what the page still asks for would be refused as soon as it is answered.
    const told = call(logout, {}, { quiet: true, signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    session.clear()
    await navigate(loginPath, { replace: true })
    // Not before: a screen that is still there would ask for its data again.
    client.clear()
    const signedOut = await told
    // A session that began at a company's provider ends there, too.
    if (signedOut?.url) window.location.assign(signedOut.url)
  }
}
