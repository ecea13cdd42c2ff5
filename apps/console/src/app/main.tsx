import '#kit/no-eval.ts'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import '#kit/theme/antd.css'
import '#kit/theme/tokens.css'
import '#kit/theme/base.css'
import '#kit/theme/utilities.css'
import '#kit/theme/finish.css'
import { startLanguage } from '#language/language.ts'
import { Providers } from './providers.tsx'
import { startServiceWorker } from './pwa.ts'
import { fetchAhead, router } from './router.tsx'
import { upgradeInsecureRequests } from './session/map-script.ts'

upgradeInsecureRequests()
fetchAhead()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await startLanguage(['api', 'app', 'kit'])
createRoot(root).render(
  <Providers>
    <RouterProvider router={router} />
  </Providers>,
)
startServiceWorker()
