import { ConfigProvider } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { freshCodeWanted } from '#api/fresh-code.ts'

const FreshCodeModal = lazy(async () => ({
  default: (await import('#features/users/parts/fresh-code-modal.tsx')).FreshCodeModal,
}))

/** The question that led to the call may still be open, and must not cover this one. */
const aboveQuestions = { token: { zIndexPopupBase: 2000 } }

/** Asks for the code when a call needs it; the dialog is loaded then. */
export function FreshCode() {
  const [answer, setAnswer] = useState<(verified: boolean) => void>()
  const [used, setUsed] = useState(false)
  useEffect(
    () =>
      freshCodeWanted.on((next) => {
        setUsed(true)
        setAnswer(() => next)
      }),
    [],
  )
  if (!used) return null
  return (
    <ConfigProvider theme={aboveQuestions}>
      <Suspense>
        <FreshCodeModal
          open={answer !== undefined}
          onAnswer={(verified) => {
            answer?.(verified)
            setAnswer(undefined)
          }}
        />
      </Suspense>
    </ConfigProvider>
  )
}
