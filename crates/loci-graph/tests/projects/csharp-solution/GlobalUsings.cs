global using Shop.Text;
