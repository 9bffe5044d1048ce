import { useStore } from "zustand";
import { type ConnectionStatus, connection } from "@/api/connection";

/** Whether the server is reachable, from the shared connection state. */
export const useConnectionStatus = (): ConnectionStatus => useStore(connection, ({ line }) => line);
