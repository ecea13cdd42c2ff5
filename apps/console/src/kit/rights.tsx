/** Which acts are offered: those that the person's role may call. The server decides; this spares the refusal. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { Button, type ButtonProps, ConfigProvider } from 'antd'
import { createContext, type ReactNode, useContext } from 'react'

/** What an act calls. Its path is enough: a list that offers it need not bring the schema of what it sends. */
export type Right = Pick<Endpoint, 'path'>

/** Paths of the endpoints that the role does not hold. */
export const RightsContext = createContext<readonly string[]>([])

interface Act {
  key: string | number
  /** The endpoint that it calls; whoever may not call it does not see it. */
  needs?: Right
}

export function useMay(): (needs: Right) => boolean {
  const withheld = useContext(RightsContext)
  return ({ path }) => !withheld.includes(path)
}

/** Of a menu, a row or a row of tabs what the person may do, as antd takes it. */
export function useHeld(): <T extends Act>(acts: readonly T[]) => Omit<T, 'needs'>[] {
  const may = useMay()
  return (acts) => acts.filter(({ needs }) => !needs || may(needs)).map(({ needs: _, ...act }) => act)
}

/** A button, or whatever else is only for those who may; the others see what is given for them. */
export function May({ needs, children, else: other }: { needs: Right; children: ReactNode; else?: ReactNode }) {
  return useMay()(needs) ? children : other
}

/** The button of an act, for those who may do it. */
export function ActButton({ needs, ...button }: ButtonProps & { needs?: Right | undefined }) {
  const may = useMay()
  return (!needs || may(needs)) && <Button {...button} />
}

/** Whether a part that is no single control of antd stands in a form that can only be read. */
export const useLocked = (): boolean => ConfigProvider.useConfig().componentDisabled ?? false

/** A form that whoever may not save it can only read. */
export function Locked({ unless, children }: { unless: Right; children: ReactNode }) {
  return <ConfigProvider componentDisabled={!useMay()(unless)}>{children}</ConfigProvider>
}
