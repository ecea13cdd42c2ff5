import logo from '../../public/logo.svg?inline'

/** Until a platform has its own; part of the code, so that no screen asks for it by a request. */
export const builtInLogo = logo
