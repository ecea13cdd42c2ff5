import { lazy, Suspense, useState } from 'react'

// Behind their buttons: the list does not wait for forms.
const CreateForm = lazy(async () => ({ default: (await import('./create-form.tsx')).CreateForm }))
const ImportDrawer = lazy(async () => ({ default: (await import('./import-drawer.tsx')).ImportDrawer }))
const NextSteps = lazy(async () => ({ default: (await import('./next-steps.tsx')).NextSteps }))

/** New products by hand, with what to do next, or from a file. Drawn once opened, so that closing can be seen. */
export function useNewProducts() {
  const [creating, setCreating] = useState<boolean>()
  const [importing, setImporting] = useState<boolean>()
  const [created, setCreated] = useState<{ productID: string; productName: string }>()
  const dialogs = (
    <Suspense fallback={null}>
      {creating !== undefined && (
        <CreateForm open={creating} onClose={() => setCreating(false)} onCreated={setCreated} />
      )}
      {importing !== undefined && <ImportDrawer open={importing} onClose={() => setImporting(false)} />}
      {creating !== undefined && <NextSteps product={created} onClose={() => setCreated(undefined)} />}
    </Suspense>
  )
  return { create: () => setCreating(true), takeFile: () => setImporting(true), dialogs }
}
