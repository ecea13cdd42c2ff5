import { ConfigProvider } from 'antd'
import { type ComponentType, lazy, Suspense, useMemo, useState } from 'react'
import { expectsSteps, mayNeedSteps } from '#blocks/first-steps/steps-memory.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { makeTheme } from '#kit/theme/theme.ts'
import { usePhone } from '#kit/use-phone.ts'

const nothing: ComponentType = () => null
/** The screen is whole without it. */
const FirstSteps = lazy<ComponentType>(async () => ({
  default: await import('#blocks/first-steps/first-steps.tsx').then(
    (loaded): ComponentType => loaded.FirstSteps,
    () => nothing,
  ),
}))

/** The newcomer's card (issue 7 part 3), dark like everything here, whatever the console's theme is. */
export function HomeSteps() {
  const [wanted] = useState(mayNeedSteps)
  const [expected] = useState(expectsSteps)
  const { density } = usePreferences()
  const phone = usePhone()
  const theme = useMemo(() => makeTheme({ dark: true, compact: density === 'small', phone }), [density, phone])
  if (!wanted) return null
  return (
    <ConfigProvider theme={theme}>
      <div className="home-steps" data-theme="dark">
        <Suspense fallback={expected && <div className="sheet first-steps home-steps-room" />}>
          <FirstSteps />
        </Suspense>
      </div>
    </ConfigProvider>
  )
}
