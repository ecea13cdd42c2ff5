import { type ComponentType, lazy, Suspense, useState } from 'react'
import { expectsSteps, mayNeedSteps } from '#blocks/first-steps/steps-memory.ts'
import { Dark } from './dark.tsx'

const nothing: ComponentType = () => null
/** The screen is whole without it. */
const FirstSteps = lazy<ComponentType>(async () => ({
  default: await import('#blocks/first-steps/first-steps.tsx').then(
    (loaded): ComponentType => loaded.FirstSteps,
    () => nothing,
  ),
}))

/** The newcomer's card (issue 7 part 3). */
export function HomeSteps() {
  const [wanted] = useState(mayNeedSteps)
  const [expected] = useState(expectsSteps)
  if (!wanted) return null
  return (
    <Dark>
      <div className="home-steps" data-theme="dark">
        <Suspense fallback={expected && <div className="sheet first-steps home-steps-room" />}>
          <FirstSteps />
        </Suspense>
      </div>
    </Dark>
  )
}
