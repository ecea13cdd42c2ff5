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
// Not awaited here: what is fetched for the language needs this module to be done.
void startLanguage(['app']).then(() =>
  createRoot(root).render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  ),
)
startServiceWorker()
