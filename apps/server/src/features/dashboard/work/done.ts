/** What a piece of background work writes down (home_work). */
export interface Done {
  seen: number
  found: number
  /** Screens show something else now. */
  changed?: boolean
}
