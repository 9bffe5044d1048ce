import { useStore } from "zustand";
import { connection, type Line } from "@/api/connection";

/** Whether the server is reachable, from the shared connection state. */
export const useLine = (): Line => useStore(connection, ({ line }) => line);
