mod file_graph;
mod tidy;
