/**
 * How the system asks a program to end. Windows knows Ctrl-C, Ctrl-Break, and the end of the window (SIGHUP), which gives
 * it some seconds. Elsewhere SIGHUP is left alone: `nohup` means it.
 */
export const stopSignals = (platform: NodeJS.Platform): NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM']
