import { createContext, useContext } from 'react'
import { type HomeLayout, homeLayout } from './home-layout.ts'

/** Sizes for what is drawn by script; the style sheet has them as variables. */
export const LayoutContext = createContext<HomeLayout>(homeLayout(1440, 900))
export const useLayout = (): HomeLayout => useContext(LayoutContext)
