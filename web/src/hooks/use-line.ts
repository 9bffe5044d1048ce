import { useStore } from "zustand";
import { connection, type Line } from "@/api/connection";

/** Whether the server can be reached, as everything on the page knows it. */
export const useLine = (): Line => useStore(connection, ({ line }) => line);
