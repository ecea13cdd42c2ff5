import { type ComponentType, lazy, useState } from 'react'
import { mayNeedSteps } from '#blocks/first-steps/steps-memory.ts'
import { Dark } from './dark.tsx'

const nothing: ComponentType = () => null
/** The screen waits for it, so that nothing moves when it comes, and is whole without it. */
const FirstSteps = lazy<ComponentType>(async () => ({
  default: await import('#blocks/first-steps/first-steps.tsx').then(
    (loaded): ComponentType => loaded.FirstSteps,
    () => nothing,
  ),
}))

/** The newcomer's card. */
export function HomeSteps() {
  const [wanted] = useState(mayNeedSteps)
  if (!wanted) return null
  return (
    <Dark>
      <div className="home-steps" data-theme="dark">
        <FirstSteps />
      </div>
    </Dark>
  )
}
